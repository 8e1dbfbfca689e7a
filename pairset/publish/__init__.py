"""Out to people: a build, a corpus or a folder as a dataset on the Hugging Face Hub."""

from pairset.publish.bundle import Bundle, File
from pairset.publish.errors import PublishError
from pairset.publish.of_build import Preparing, prepare_build
from pairset.publish.of_folder import prepare_folder

__all__ = ["Bundle", "File", "Preparing", "PublishError", "prepare_build", "prepare_folder"]
