// A pseudo terminal as a serial line, made by socat: a till opens LINK as if it were a serial port.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, lstatSync, unlinkSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../../app/ports/clock.ts';
import { type ByteLink, LinkError, type LinkEvents } from './byte-link.ts';

/** How long socat may take to make the pseudo terminal. */
const OPEN_TIMEOUT_MS = 5000;
/** How long the link of a terminal that has just ended may still be there. */
const OLD_LINK_WAIT_MS = 1000;
const OLD_LINK_POLL_MS = 20;
/** What socat says on stderr once the pseudo terminal and the link to it are there. */
const TRANSFERRING = 'starting data transfer';
const MAX_MESSAGE_CHARACTERS = 2000;

type Socat = ChildProcessByStdio<Writable, Readable, Readable>;

/** A pty with a symbolic link to it. The till's coming and going cannot be seen on a serial line: it is up as long as the pty is there. */
export function createPtyByteLink(options: { readonly linkPath: string; readonly clock: Clock }): ByteLink {
  const { linkPath, clock } = options;
  let socat: Socat | undefined;
  let isWanted = false;
  let events: LinkEvents = { onUp: () => {}, onDown: () => {}, onBytes: () => {}, onFailed: () => {} };

  const wait = (delayMs: number) => new Promise<void>((resolve) => clock.after(delayMs, resolve));
  const open = async () => {
    isWanted = true;
    await removeOldLink(linkPath, wait);
    const child = spawn('socat', ['-d', '-d', '-t', '0.01', `PTY,link=${linkPath},raw,echo=0`, 'STDIO'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    await opened(child, linkPath, clock);
    socat = child;
    child.stdout.on('data', (bytes: Buffer) => events.onBytes(bytes));
    // The pipe of a socat that has ended: its `exit` is where it is dealt with.
    child.stdin.on('error', () => {});
    child.once('exit', ended);
    if (isWanted) events.onUp();
    else child.kill('SIGTERM');
  };
  const ended = () => {
    socat = undefined;
    events.onDown();
    if (isWanted) open().catch(events.onFailed);
  };
  const close = () =>
    new Promise<void>((resolve) => {
      isWanted = false;
      if (socat === undefined) resolve();
      else socat.once('exit', () => resolve()).kill('SIGTERM');
    });

  return {
    async start(linkEvents) {
      events = linkEvents;
      await open();
    },
    write(bytes) {
      if (socat?.stdin.writable === true) socat.stdin.write(bytes);
    },
    // The till sees its port vanish, and may open it again once it is back.
    dropPeer: () => void socat?.kill('SIGTERM'),
    suspend: close,
    resume: open,
    stop: close,
  };
}

/** A terminal that was killed leaves its link for a moment, or for good when socat was killed with it. */
async function removeOldLink(linkPath: string, wait: (delayMs: number) => Promise<void>): Promise<void> {
  for (let waitedMs = 0; waitedMs < OLD_LINK_WAIT_MS && isLink(linkPath); waitedMs += OLD_LINK_POLL_MS) {
    if (!existsSync(linkPath)) {
      unlinkSync(linkPath);
      return;
    }
    await wait(OLD_LINK_POLL_MS);
  }
  if (isLink(linkPath) || existsSync(linkPath))
    throw new LinkError(`${linkPath} exists already: another terminal may be using it.`);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function opened(child: Socat, linkPath: string, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const end = () => {
      stopWaiting();
      child.off('exit', onExit);
      child.stderr.off('data', onText);
      // What socat says later is read and dropped: a full pipe would stop it.
      child.stderr.resume();
    };
    const fail = (reason: string) => {
      end();
      child.kill('SIGKILL');
      reject(new LinkError(reason));
    };
    const onExit = () => fail(`socat could not open ${linkPath}: ${said.trim().split('\n').at(-1) ?? ''}`);
    const onText = (text: Buffer) => {
      said = (said + text.toString()).slice(-MAX_MESSAGE_CHARACTERS);
      if (!said.includes(TRANSFERRING)) return;
      end();
      resolve();
    };
    const stopWaiting = clock.after(OPEN_TIMEOUT_MS, () => fail(`socat did not open ${linkPath} in time.`));
    child.on('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT';
      fail(
        isMissing
          ? 'A pty needs the program socat, which is not installed (Debian: apt-get install socat).'
          : `socat cannot be started: ${error.message}`,
      );
    });
    child.on('exit', onExit);
    child.stderr.on('data', onText);
  });
}
