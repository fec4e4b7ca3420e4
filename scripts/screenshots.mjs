// Takes the pictures of docs/images from the running service, with data that look real: a month of `npm run demo -- --history` in a
// new folder, which is removed again. It needs Chromium.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const images = join(root, 'docs', 'images');
const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
const PORT = '24569';

/** Each picture: the side that sees it, its path, and what is done there first. */
const PICTURES = [
  { name: 'home', side: 'tenant', path: '/' },
  { name: 'usage', side: 'tenant', path: '/usage' },
  {
    name: 'audit',
    side: 'tenant',
    path: '/audit',
    first: async (page) => {
      await page.getByRole('button', { name: /^Verify the newest/ }).click();
      await page.getByText(/entries proven/).waitFor();
    },
  },
  { name: 'matches', side: 'tenant', path: '/matches' },
  {
    name: 'decision',
    side: 'tenant',
    path: '/matches',
    first: async (page) => {
      await page.getByRole('link', { name: 'then and now' }).first().click();
      await page.getByRole('button', { name: /^Replay/ }).click();
      await page.getByText('reproduced', { exact: true }).waitFor();
    },
  },
  {
    name: 'projections',
    side: 'operator',
    path: '/projections',
    first: async (page) => {
      await page.getByRole('button', { name: 'Verify' }).last().click();
      await page.getByText('done', { exact: true }).waitFor();
    },
  },
];

const ready = async (folder) => {
  for (;;) {
    const file = join(folder, 'demo-account.json');
    const demo = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
    const answer = demo && (await fetch(`${demo.base_url}/health/ready`).catch(() => undefined));
    if (answer?.ok) return demo;
    await sleep(500);
  }
};

const take = async (demo) => {
  const running = await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] });
  const page = await running.newPage({ viewport: { width: 1_280, height: 800 } });
  await page.goto(demo.console_url);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  let side = 'tenant';
  for (const picture of PICTURES) {
    if (picture.side !== side) {
      await page.goto(`${demo.base_url}/console`);
      await page.getByRole('button', { name: /^Account menu/ }).click();
      await page.getByRole('button', { name: `Switch to ${picture.side}` }).click();
      await page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor();
      side = picture.side;
    }
    await page.goto(`${demo.base_url}/console${picture.path}`);
    await page.locator('main table, main svg').first().waitFor();
    await picture.first?.(page);
    await sleep(1_000);
    await page.screenshot({ path: join(images, `${picture.name}.png`) });
    console.log(`docs/images/${picture.name}.png`);
  }
  await running.close();
};

if (browser === undefined) {
  console.error('There is no Chromium here: apt-get install chromium');
  process.exit(1);
}
mkdirSync(images, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'kyc-screenshots-'));
const data = join(folder, 'data');
const env = { ...process.env, DATA_DIR: data, PORT };
try {
  const demo = [join(root, 'packages/tools/dist/demo/main.js'), '--history'];
  if (spawnSync(process.execPath, demo, { env, stdio: 'inherit' }).status !== 0) throw new Error('there is no history');
  const service = spawn(process.execPath, [join(root, 'dist/src/main.js')], { env, stdio: 'ignore' });
  try {
    await take(await ready(data));
  } finally {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
