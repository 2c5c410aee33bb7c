"""Options of all commands that read files: what a file does not say itself."""

from typing import Annotated

import typer

Target = Annotated[str | None, typer.Option(help="The target column's name or index.")]
Categorical = Annotated[
    list[str] | None, typer.Option(help="A column of names, even if numbers.")
]
Ignore = Annotated[list[str] | None, typer.Option(help="A column to leave out.")]
Header = Annotated[bool | None, typer.Option(help="Whether CSV files have a header.")]
MaxDocuments = Annotated[
    int | None, typer.Option(help="Documents kept per query (10).")
]
MaxRelevance = Annotated[
    float | None, typer.Option(help="The best grade (the largest in the file).")
]
