"""The page: a list of pairs, one pair, its answers, and the verdict on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from pairset.build import Build
from pairset.store import StoreError
from pairset.verdicts import BadVerdict
from review.access import SESSION, Guard, Secrets
from review.answers import Answers, Asking
from review.filters import PAGE, VERDICT, Filters
from review.finder import Finder, Found
from review.index import Index
from review.pairs import Pair, Pairs
from review.said import Said
from review.views import ListView, PairView, Row, rendered

PAGE_ROWS = 50
MAX_FORM = 65_536
"""The longest form that is read, in bytes."""

REVIEWER = "pairset_reviewer"
YEAR_S = 31_536_000
STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class Desk:
    """All that the pages need: the pairs, what was said of them, and where to ask for answers."""

    build: Build
    index: Index
    said: Said
    asking: Asking
    trees: Sequence[str]
    known: Secrets

    @property
    def name(self) -> str:
        """The build's name."""
        return self.build.root.name


class Pages:
    """The routes over one desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._finder = Finder(desk.index, desk.said)
        self._pairs = Pairs(desk.build, desk.index)

    def routes(self) -> list[Route | Mount]:
        """Every address that is answered."""
        return [
            Route("/", self.listed),
            Route("/help", self.help),
            Route("/favicon.ico", self.no_icon),
            Route("/enter", self.enter, methods=["GET"]),
            Route("/enter", self.entered, methods=["POST"]),
            Route("/pair/{pair_id}", self.pair),
            Route("/pair/{pair_id}", self.judged, methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]

    def listed(self, request: Request) -> Response:
        """The pairs that the filters leave, a page of them."""
        self._desk.said.look()
        filters = Filters.of(request.query_params)
        found = self._finder.find(filters)
        pages = max(1, -(-len(found.rows) // PAGE_ROWS))
        page = min(max(1, _number(request.query_params.get(PAGE, ""))), pages)
        shown = found.rows[(page - 1) * PAGE_ROWS : page * PAGE_ROWS]
        view = ListView(
            filters=filters,
            options=self._finder.options(filters),
            rows=[self._row(int(row), filters) for row in shown],
            total=len(found.rows),
            of=self._desk.index.rows,
            page=page,
            pages=pages,
        )
        return self._page("list.html", request, view=view, unread=self._desk.said.unread())

    def pair(self, request: Request) -> Response:
        """One pair; with ``tree`` in the address, both answers on it."""
        return self._pair_page(request, self._row_of(request))

    async def judged(self, request: Request) -> Response:
        """Keep a verdict, then show its pair again."""
        form = await _form(request)
        return await run_in_threadpool(self._judge, request, form)

    def help(self, request: Request) -> Response:
        """The keys, and what the words mean."""
        return self._page("help.html", request)

    def no_icon(self, request: Request) -> Response:
        """Browsers ask for one; there is none."""
        return Response(status_code=204)

    def enter(self, request: Request) -> Response:
        """Ask for the token."""
        wanted = _inside(request.query_params.get("to", "/"))
        return self._page("enter.html", request, to=wanted, wrong=False)

    async def entered(self, request: Request) -> Response:
        """Let a person in who knows the token."""
        form = await _form(request)
        wanted = _inside(form.get("to", "/"))
        if not self._desk.known.is_token(form.get("token", "")):
            return self._page("enter.html", request, status=401, to=wanted, wrong=True)
        response = RedirectResponse(wanted, 303)
        session = self._desk.known.session()
        response.set_cookie(SESSION, session, httponly=True, samesite="strict")
        return response

    def failed(self, request: Request, error: Exception) -> Response:
        """Something that a person can understand, as a page."""
        status, said = (
            (error.status_code, error.detail)
            if isinstance(error, HTTPException)
            else (409, str(error))
        )
        return self._page("failed.html", request, status=status, said=said)

    def _row_of(self, request: Request) -> int:
        row = self._desk.index.row_of(request.path_params["pair_id"])
        if row is None:
            raise HTTPException(404, "This build has no pair of that id.")
        return row

    def _row(self, row: int, filters: Filters) -> Row:
        index = self._desk.index
        pair_id, gold = index.id_of(row), int(index.gold_of[row])
        gold_sql, question = index.golds.row(gold)
        return Row(
            href=f"/pair/{pair_id}{filters.query()}",
            question=question,
            gold_sql=gold_sql,
            neighbor_sql=index.neighbors[row],
            facts={name: facet.text(row) for name, facet in index.facets.items()},
            state=self._desk.said.facet.text(row),
        )

    def _pair_page(
        self, request: Request, row: int, *, complaint: str = "", note: str = ""
    ) -> Response:
        self._desk.said.look()
        filters = Filters.of(request.query_params)
        pair = self._pairs.read(row)
        tree = request.query_params.get("tree", "")
        if tree and tree not in self._desk.trees:
            raise HTTPException(404, f"This build has no tree of that name: {tree}")
        view = self._view(pair, filters, self._finder.find(filters))
        answers = self._desk.asking.ask(pair, tree) if tree else None
        more = {"complaint": complaint, "note": note, "saved": "saved" in request.query_params}
        return self._page(
            "pair.html", request, status=400 if complaint else 200,
            view=view, tree=tree, **self._about_answers(answers), **more,
        )  # fmt: skip

    def _about_answers(self, answers: Answers | None) -> dict[str, object]:
        return {"answers": answers, "trees": self._desk.trees}

    def _view(self, pair: Pair, filters: Filters, found: Found) -> PairView:
        before, there = found.at(pair.row)
        previous, following = (
            None if row is None else self._desk.index.id_of(row) for row in found.beside(pair.row)
        )
        return PairView(
            pair=pair,
            filters=filters,
            verdicts=self._desk.said.of(pair.pair["pair_id"]),
            previous=previous,
            following=following,
            place=before + 1 if there else None,
            total=len(found.rows),
            page=before // PAGE_ROWS + 1,
        )

    def _judge(self, request: Request, form: dict[str, str]) -> Response:
        row = self._row_of(request)
        if not self._desk.known.is_form(form.get("form", "")):
            raise HTTPException(403, "This form is of an earlier start of the page: load it again.")
        pair_id, reviewer = request.path_params["pair_id"], form.get("reviewer", "").strip()
        note = form.get("note", "").replace("\r\n", "\n").strip()
        try:
            self._desk.said.add(pair_id, reviewer, form.get(VERDICT, ""), note)
        except (BadVerdict, OSError) as error:  # a full disk is said as well
            said = error.strerror if isinstance(error, OSError) else str(error)
            return self._pair_page(request, row, complaint=said or "not written", note=note)
        filters = Filters.of(request.query_params)
        tree = request.query_params.get("tree", "")
        to = f"/pair/{pair_id}{filters.query(**({'tree': tree} if tree else {}), saved=1)}"
        response = RedirectResponse(to, 303)
        response.set_cookie(
            REVIEWER, quote(reviewer), max_age=YEAR_S, httponly=True, samesite="strict"
        )
        return response

    def _page(self, name: str, request: Request, *, status: int = 200, **more: object) -> Response:
        text = rendered(
            name,
            build=self._desk.name,
            reviewer=unquote(request.cookies.get(REVIEWER, "")),
            form=self._desk.known.form,
            **more,
        )
        return Response(text, status, media_type="text/html")


def make_app(desk: Desk, hosts: Sequence[str] | None) -> Starlette:
    """The application; ``hosts`` are the names it may be asked by, None where any will do."""
    pages = Pages(desk)
    return Starlette(
        routes=pages.routes(),
        middleware=[Middleware(Guard, known=desk.known, hosts=hosts)],
        exception_handlers={HTTPException: pages.failed, StoreError: pages.failed},
    )


async def _form(request: Request) -> dict[str, str]:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_FORM:
            raise HTTPException(413, "That is too long for this form.")
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1


def _inside(to: str) -> str:
    """An address of this page; the first page for one that leads elsewhere."""
    inside = to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable()
    return to if inside else "/"
