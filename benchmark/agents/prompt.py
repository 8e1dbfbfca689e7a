"""What a model is told: the schema as DDL, what is known beside it, and the question."""

from benchmark.agents.base import Question

INSTRUCTIONS = (
    "You write SQL for SQLite. Answer the question with one query over the given schema, "
    "in a fenced block labelled sql. The query only reads, and returns just the columns asked for."
)


def messages(question: Question, instructions: str = INSTRUCTIONS) -> list[dict[str, str]]:
    """The messages of a chat."""
    parts = [f"Schema:\n{question.schema}" if question.schema else ""]
    parts.append(f"Known: {question.knowledge}" if question.knowledge else "")
    parts.append(f"Question: {question.question}")
    asked = "\n\n".join(part for part in parts if part)
    return [{"role": "system", "content": instructions}, {"role": "user", "content": asked}]
