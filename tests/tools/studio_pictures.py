"""Take the pictures of the studio for the docs: ``python tests/tools/studio_pictures.py`` writes docs/pictures/."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SET = ("anaphor_gender_agreement", "adjunct_island", "transitive", "npi_present_1", "passive_1", "wh_island")
PICTURES = {
    "studio-browse": ("/paradigm/adjunct_island", "Guards and diversity", "light"),
    "studio-write": ("/write/my_first?like=transitive", "0 problems", "light"),
    "studio-report": ("/results/report?of=unigram&of=length", "Accuracy by paradigm", "light"),
    "studio-pairs": ("/results/pairs?of=unigram&of=length&group=transitive", "of 100", "dark"),
}
"""Name of a picture to its page, what stands there when all of it is there, and light or dark."""


def main() -> None:
    """Make a set and two results, start the studio, and take the pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        blimpgen = (sys.executable, "-m", "blimpgen")
        subprocess.run([*blimpgen, "generate", *SET, "-n", "100", "-o", f"{home}/set"], check=True)
        for model in ("unigram", "length"):
            subprocess.run([*blimpgen, "verify", f"{home}/set", "--model", model, "-o", f"{home}/{model}"], check=True)
        command = [*blimpgen, "studio", "--data", f"{home}/my_data", "--results", home]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as studio:
            assert studio.stdout is not None
            _take(studio.stdout.readline().strip())
            studio.send_signal(signal.SIGINT)


def _take(link: str) -> None:
    browsers = (os.environ.get("BROWSER_PATH"), *map(shutil.which, BROWSERS))
    with sync_playwright() as playwright:
        path = next(filter(None, browsers), None)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name, (address, there, scheme) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1000, "height": 720}, color_scheme=scheme)  # type: ignore[arg-type]
            page.goto(link)
            page.goto(link.partition("/?")[0] + address)
            page.get_by_text(there).first.wait_for()
            page.mouse.move(200, 300)
            page.mouse.wheel(0, 330 if "write" in address else 0)  # past the comments that name folders
            page.wait_for_timeout(500)
            picture = Image.open(BytesIO(page.screenshot()))
            picture.quantize(64).save(FOLDER / f"{name}.png", optimize=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
