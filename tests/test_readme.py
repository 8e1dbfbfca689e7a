"""The README's transcript is what the commands print."""

from pathlib import Path

import pytest

from tests.transcript import printed, shown, without_seconds


@pytest.mark.flow
def test_the_transcript_is_what_is_printed(tmp_path: Path) -> None:
    page = shown()
    assert without_seconds(printed(page, tmp_path)) == without_seconds(page)
