"""The evidence in a prompt: what stands under "External Knowledge:"."""

import re

# The heading, however a template dresses it: "### External knowledge", "**External Knowledge:**".
_HEADING = re.compile(r"^[^\w\n]*external[ _]knowledge[^\w\n]*?(?::(?:\*\*|__)?|$)", re.I | re.M)

# A line that opens the next section: a word that templates head sections with and a colon, a
# heading of Markdown, a fence, or a chat template's own mark.
_WORDS = "question|database schema|schema|planning|plan|answer|response|instructions?|sql( query)?"
_NEXT = re.compile(rf"^[^\w\n]*(?:{_WORDS})[*_ ]*:|^\s*#|^\s*```|<\|\w+\|>", re.I | re.M)

# A line that is nothing but a title, after an empty one: "Your step-by-step plan:".
_TITLE = re.compile(r"\n[ \t]*\n[ \t]*[A-Z][\w -]{0,40}:[ \t]*(?:\n|\Z)")


def evidence_in(prompt: str) -> str:
    r"""The text from the last heading "External Knowledge" to the next section, or "".

    >>> evidence_in("Question: How many?\n\nExternal Knowledge: adult refers to age > 17\n\nSQL:")
    'adult refers to age > 17'
    """
    headings = list(_HEADING.finditer(prompt))
    if not headings:
        return ""
    start = headings[-1].end()  # searched from here, not cut: only a whole line opens a section
    ends = [found.start() for rule in (_NEXT, _TITLE) if (found := rule.search(prompt, start))]
    evidence = prompt[start : min(ends, default=len(prompt))].strip()
    return "" if evidence == "None" else evidence  # how Python prints that there is none
