import { type BirpcReturn, createBirpc } from 'birpc';
import {
  CONSOLE_SOCKET_PATH,
  type ConsoleClientFunctions,
  type ConsoleEvent,
  type ConsoleServerFunctions,
  type SignedOutReason,
} from '../../app/contract/console/channel.ts';
import type { ProcedureName, ProcedureRequest, ProcedureResponse } from '../../app/contract/console/procedures.ts';
import type { ConsoleRefusal } from '../../app/contract/console/refusal.ts';
import type { ShellApi } from '../../app/contract/console/shell.ts';
import type { VirtualTerminalView } from '../../app/contract/console/virtual.ts';

declare global {
  interface Window {
    /** Put there by the desktop shell's preload. */
    readonly tillShell?: ShellApi;
  }
}

/** Milliseconds before a lost connection is tried again: the first time, and at most. */
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 4000;

/** NEVER: no connection yet. LOST: there was one, or none could be made; it is tried again until there is. */
export type ConnectionState = 'NEVER' | 'OPEN' | 'LOST';

/** A refusal by the till. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly refusal: ConsoleRefusal;

  constructor(refusal: ConsoleRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The answer of a call cannot arrive any more; whether the till has heard the call is not known. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** The one way from the pages to the till. */
export interface ConsoleApi {
  /** Waits for the connection when there is none yet. @throws Refusal, ConnectionLost */
  call<Name extends ProcedureName>(name: Name, request: ProcedureRequest<Name>): Promise<ProcedureResponse<Name>>;
  state(): ConnectionState;
  onState(listener: () => void): () => void;
  /** Every event of every terminal, while somebody is signed in. What a lost connection missed is to be looked up again. */
  onEvent(listener: (event: ConsoleEvent) => void): () => void;
  onSignedOut(listener: (reason: SignedOutReason) => void): () => void;
  /** What a virtual terminal shows, after every change; told once `virtual.state` was asked for. */
  onVirtualTerminal(listener: (terminalId: string, view: VirtualTerminalView) => void): () => void;
  /** Resolves as soon as the connection is open. */
  whenOpen(): Promise<void>;
}

type Rpc = BirpcReturn<ConsoleServerFunctions, ConsoleClientFunctions>;

/** Listeners of one kind of news. */
function createListeners<Arguments extends readonly unknown[]>() {
  const listeners = new Set<(...args: Arguments) => void>();
  return {
    add(listener: (...args: Arguments) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(...args: Arguments): void {
      for (const listener of listeners) listener(...args);
    },
  };
}

/** What a line tells: once opened, texts, and in the end that it is closed, which ends it for good. */
interface LineEvents {
  opened(): void;
  text(text: string): void;
  closed(): void;
}

/** Opens a line of texts to the till. Nothing is told before the function has returned. */
type OpenLine = (events: LineEvents) => { send(text: string): void };

/** The way to the till from this page: the desktop shell's where there is one, otherwise the WebSocket of the page's own origin. */
export function lineOf(page: Window): OpenLine {
  const shell = page.tillShell;
  return shell === undefined ? socketLine(socketUrlOf(page.location)) : shellLine(shell);
}

/** The address of the console's socket on the page's own origin. */
function socketUrlOf(page: { readonly protocol: string; readonly host: string }): string {
  return `${page.protocol === 'https:' ? 'wss:' : 'ws:'}//${page.host}${CONSOLE_SOCKET_PATH}`;
}

function socketLine(url: string): OpenLine {
  return ({ opened, text, closed }) => {
    const socket = new WebSocket(url);
    socket.addEventListener('open', opened);
    socket.addEventListener('message', (message) => text(message.data));
    socket.addEventListener('close', closed);
    return socket;
  };
}

function shellLine(shell: ShellApi): OpenLine {
  return ({ opened, text, closed }) => {
    const send = shell.connect(text, closed);
    queueMicrotask(opened);
    return { send };
  };
}

/** Connects, and connects again by itself whenever the connection is lost. */
export function connectConsole(openLine: OpenLine): ConsoleApi {
  const states = createListeners<[]>();
  const events = createListeners<[ConsoleEvent]>();
  const signedOut = createListeners<[SignedOutReason]>();
  const virtualTerminals = createListeners<[string, VirtualTerminalView]>();
  let state: ConnectionState = 'NEVER';
  let retryMs = FIRST_RETRY_MS;
  let rpc: Rpc | undefined;

  function become(next: ConnectionState): void {
    if (state === next) return;
    state = next;
    states.tell();
  }

  function open(): void {
    let receive: (text: string) => void = () => {};
    const line = openLine({
      opened() {
        retryMs = FIRST_RETRY_MS;
        rpc = channel;
        become('OPEN');
      },
      text: (text) => receive(text),
      closed() {
        rpc = undefined;
        channel.$close(new ConnectionLost('the connection to the till was lost'));
        become('LOST');
        setTimeout(open, retryMs);
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      },
    });
    const channel = createBirpc<ConsoleServerFunctions, ConsoleClientFunctions>(
      { event: events.tell, signedOut: signedOut.tell, virtualTerminal: virtualTerminals.tell },
      {
        post: (text: string) => line.send(text),
        on: (listener) => {
          receive = listener;
        },
        serialize: (value) => JSON.stringify(value),
        deserialize: (text: string) => JSON.parse(text),
        // A payment takes minutes; the till ends every call itself, and a lost connection ends the rest.
        timeout: -1,
      },
    );
  }
  open();

  async function whenOpen(): Promise<void> {
    if (state === 'OPEN') return;
    await new Promise<void>((resolve) => {
      const stop = states.add(() => {
        if (state !== 'OPEN') return;
        stop();
        resolve();
      });
    });
  }

  return {
    async call(name, request) {
      if (state === 'NEVER') await whenOpen();
      if (rpc === undefined) throw new ConnectionLost('the till does not answer');
      const answer = await rpc.call(name, request);
      if (!answer.ok) throw new Refusal(answer.refusal);
      // The channel's type is per name; here the name is a parameter.
      return answer.value as ProcedureResponse<typeof name>;
    },
    state: () => state,
    onState: states.add,
    onEvent: events.add,
    onSignedOut: signedOut.add,
    onVirtualTerminal: virtualTerminals.add,
    whenOpen,
  };
}
