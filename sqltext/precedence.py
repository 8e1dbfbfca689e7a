"""How tight each operator binds (https://sqlite.org/lang_expr.html, section 2), loosest first."""

OR, AND, NOT, EQUAL, COMPARED, BITS, SUM, PRODUCT, JOINED, COLLATE = range(1, 11)

LIKES = frozenset({"LIKE", "GLOB", "REGEXP", "MATCH"})
AFTER_NOT = LIKES | {"IN", "BETWEEN", "NULL"}
SPELLING = {"==": "=", "!=": "<>"}

# The binding power of what may follow an operand.
POWER = {
    "OR": OR, "AND": AND,
    **dict.fromkeys(
        ("=", "==", "<>", "!=", "IS", "IN", *LIKES, "BETWEEN", "ISNULL", "NOTNULL", "NOT"), EQUAL),
    **dict.fromkeys(("<", "<=", ">", ">="), COMPARED),
    **dict.fromkeys(("&", "|", "<<", ">>"), BITS),
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("*", "/", "%"), PRODUCT),
    **dict.fromkeys(("||", "->", "->>"), JOINED),
    "COLLATE": COLLATE,
}  # fmt: skip
