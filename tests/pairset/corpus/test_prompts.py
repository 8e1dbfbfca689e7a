"""The evidence is what stands under "External Knowledge:", whatever is around it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairset.corpus.prompts import evidence_in

SHAPES = {
    "Question: q\n\nExternal Knowledge: ": "",
    "Question: q\n\nExternal Knowledge:": "",
    "Question: q\n\nExternal Knowledge: None": "",
    "Question: q": "",
    "": "",
    "Question: q\n\nExternal Knowledge: adult refers to age > 17": "adult refers to age > 17",
    "S\n\nQuestion: q\nExternal knowledge: a = 'x'; b\n\nPlanning:\n": "a = 'x'; b",
    "External Knowledge: a\n\nQuestion: q\n\nSQL:": "a",
    "External Knowledge: a\nQuestion: q": "a",
    "### External Knowledge\na\nb\n\n### Question\nq": "a\nb",
    "**External Knowledge:** a\n\n**Question:** q": "a",
    "**External Knowledge**: a\n**Question**: q": "a",
    "-- External Knowledge: a\n-- Question: q": "a",
    "# External_Knowledge:\na\n```sql": "a",
    "External Knowledge: a<|im_end|>\n<|im_start|>assistant": "a",
    "External Knowledge: a\n\nYour final query:\n": "a",
    "External Knowledge: a\n\nrate = b: c\n\nlast": "a\n\nrate = b: c\n\nlast",
    "External Knowledge: one\nQuestion: p\n\nExternal Knowledge: two": "two",
    "External Knowledge: # of heads refers to COUNT(a)\nQuestion: q": "# of heads refers to COUNT(a)",
    "External Knowledge: answer: a <| b\n\nSQL:": "answer: a <| b",
    "no external knowledge here\nQuestion: q": "",
    "External Knowledge: full name refers to `T1`.`name`; ratio: DIVIDE(a, b)": "full name refers to `T1`.`name`; ratio: DIVIDE(a, b)",
    "Database Schema:\nCREATE TABLE t (a) -- external knowledge: x\n\nExternal Knowledge: a": "a",
}  # fmt: skip


@pytest.mark.parametrize("prompt", SHAPES)
def test_the_evidence_is_read_out_of_a_prompt(prompt: str) -> None:
    assert evidence_in(prompt) == SHAPES[prompt]


@given(st.text(alphabet="abc =<>|#*:'`,;.()é", min_size=1))
def test_evidence_of_one_line_is_read_whole(evidence: str) -> None:
    prompt = f"Database Schema:\nt(a)\n\nQuestion: q?\n\nExternal Knowledge: {evidence}\n\nSQL:"
    assert evidence_in(prompt) == evidence.strip()
