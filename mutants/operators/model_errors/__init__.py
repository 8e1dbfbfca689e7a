"""The X codes: edits that no catalogue of mutation has, but that models' wrong queries call for."""
