// tests: Debian's Chromium with the report's pages, and everything that went wrong while one of them was open.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(here, '../../src/report/web/package.json'));
const { chromium } = require('playwright-core');

const executable = '/usr/bin/chromium';
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export class Browser {
  static async start() {
    if (!existsSync(executable))
      throw new Error(`${executable} is not there, and the report is tested in it: apt-get install chromium`);
    const browser = new Browser();
    browser.folder = mkdtempSync(join(tmpdir(), 'thalweg-report-'));
    execFileSync(process.env.THALWEG_REPORT_PAGES, [browser.folder]);
    browser.chromium = await chromium.launch({
      executablePath: executable,
      headless: true,
      args: flags,
    });
    return browser;
  }

  async stop() {
    await this.chromium?.close();
    if (this.folder) rmSync(this.folder, { recursive: true, force: true });
  }

  // `problems` collects what must not happen: requests but for the file itself, messages on the console, exceptions.
  async open(name, { hash = '', ...options } = {}) {
    const context = await this.chromium.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    const url = pathToFileURL(join(this.folder, `${name}.html`)).href;
    const problems = [];
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== url) problems.push(`request: ${request.url()}`);
    });
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`exception: ${error.stack}`));
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    await page.goto(url + hash);
    return { page, problems, close: () => context.close() };
  }
}

// A test of one page: opens it, and whatever the test looked at, nothing may have gone wrong meanwhile.
export function pageTest(browser) {
  return (claim, name, options, body) =>
    test(claim, { timeout: 60_000 }, async () => {
      const { page, problems, close } = await browser().open(name, options);
      try {
        await body(page);
        assert.deepEqual(problems, []);
      } finally {
        await close();
      }
    });
}

// Kept for the eye when THALWEG_SCREENSHOTS names a folder.
export async function screenshot(page, name) {
  const folder = process.env.THALWEG_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

// What axe-core finds wrong.
export async function violations(page) {
  await page.evaluate(readFileSync(require.resolve('axe-core'), 'utf8'));
  const found = await page.evaluate(() =>
    window.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
}
