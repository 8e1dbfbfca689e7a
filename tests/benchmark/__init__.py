"""Tests of benchmark."""
