/** Drives system-packaged browsers through their own W3C WebDriver servers, because Playwright can't drive them. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Kind {
  name: string;
  /** Programs that must be installed, with the package that each comes from. */
  needs: Record<string, string>;
  start: (port: number) => string[];
  options: object;
}
export const KINDS: Kind[] = [
  {
    name: 'Firefox',
    needs: { 'firefox-esr': 'a package', geckodriver: 'cargo install geckodriver' },
    start: (port) => ['geckodriver', '--port', String(port)],
    options: {
      'moz:firefoxOptions': { args: ['-headless'], prefs: { 'media.autoplay.default': 0 } },
    },
  },
  {
    name: 'WebKit',
    needs: { WebKitWebDriver: 'package webkit2gtk-driver', 'xvfb-run': 'package xvfb' },
    // WebKit has no headless mode.
    start: (port) => ['xvfb-run', '-a', 'WebKitWebDriver', `--port=${String(port)}`],
    options: {},
  },
];

/** Lists a browser's missing programs. */
export const missing = ({ needs }: Kind): string =>
  Object.entries(needs)
    .filter(([program]) => spawnSync('which', [program]).status !== 0)
    .map(([program, from]) => `${program} (${from})`)
    .join(', ');

const PATIENCE_MS = 30_000;
/** Key under which WebDriver returns a reference to an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

async function call<Value>(method: string, url: string, body?: object): Promise<Value> {
  const sent = body && {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  };
  const response = await fetch(url, { method, ...sent });
  const { value } = (await response.json()) as { value: Value };
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(value)}`);
  return value;
}

/** Waits until the driver responds. */
async function answers(url: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await call('GET', `${url}/status`);
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await pause(200);
    }
  }
}

/** Ends a driver and every process it started. */
function end({ pid }: ChildProcess): void {
  if (pid) process.kill(-pid);
}

export class Driven {
  private readonly driver: ChildProcess;
  private readonly session: string;

  private constructor(driver: ChildProcess, session: string) {
    this.driver = driver;
    this.session = session;
  }

  static async start({ start, options }: Kind): Promise<Driven> {
    const port = await freePort();
    const [program = '', ...args] = start(port);
    // The driver has its own process group, so that killing the group ends all of its children.
    const driver = spawn(program, args, { stdio: 'ignore', detached: true });
    const url = `http://127.0.0.1:${String(port)}`;
    try {
      await answers(url);
      // Wait for elements that appear later.
      const capabilities = { alwaysMatch: { ...options, timeouts: { implicit: PATIENCE_MS } } };
      const { sessionId } = await call<{ sessionId: string }>('POST', `${url}/session`, {
        capabilities,
      });
      return new Driven(driver, `${url}/session/${sessionId}`);
    } catch (error) {
      end(driver);
      throw error;
    }
  }

  open = (url: string) => call('POST', `${this.session}/url`, { url });

  resize = (width: number, height: number) =>
    call('POST', `${this.session}/window/rect`, { width, height });

  setCookie = (name: string, value: string) =>
    call('POST', `${this.session}/cookie`, { cookie: { name, value } });

  /** Evaluates a script in the page and returns its result. */
  run = <Value>(script: string): Promise<Value> =>
    call('POST', `${this.session}/execute/sync`, { script: `return ${script}`, args: [] });

  click = async (css: string) => call('POST', `${await this.find(css)}/click`, {});

  type = async (css: string, text: string) =>
    call('POST', `${await this.find(css)}/value`, { text });

  private async find(css: string): Promise<string> {
    const found = await call<Record<string, string>>('POST', `${this.session}/element`, {
      using: 'css selector',
      value: css,
    });
    return `${this.session}/element/${found[ELEMENT] ?? ''}`;
  }

  async stop(): Promise<void> {
    try {
      await call('DELETE', this.session);
    } finally {
      end(this.driver);
    }
  }
}
