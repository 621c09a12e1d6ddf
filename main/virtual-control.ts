import type { VirtualAction, VirtualScript, VirtualTerminalView } from '../app/contract/console/virtual.ts';
import type { VirtualTerminalControl } from '../app/ports/virtual-terminal.ts';
import { callControl } from '../app/programs/call-control.ts';

/** Longest event that is waited for in one piece. */
const maxEventCharacters = 64 * 1024;
/** Lines of paper that the screen gets. */
const maxPaperLines = 40;

/** What the control interface tells of itself (drivers/virtual/README.md). */
interface ControlView {
  readonly state: string;
  readonly display: readonly string[];
  readonly card: string | null;
  readonly isCardReaderLit: boolean;
  readonly link: 'UP' | 'DOWN';
  readonly armed: { readonly rule: string } | null;
  readonly isInHand: boolean;
  readonly conditions: { readonly isOutOfPaper: boolean };
  readonly paper: readonly string[];
}

/** What does not change while it runs. */
interface ControlFacts {
  readonly isManual: boolean;
  readonly script: VirtualScript;
}

interface ControlCard {
  readonly id: string;
  readonly title: string;
  readonly scheme: string;
  readonly entry: 'CONTACT' | 'CONTACTLESS' | 'MAGSTRIPE';
  readonly verification: string;
  readonly maskedPan: string;
  readonly pin?: string;
}

/** The control interface of a virtual terminal on this machine. */
export function createVirtualControl(controlUrl: string): VirtualTerminalControl {
  const send = async (method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<VirtualTerminalView> =>
    viewOf((await callControl(controlUrl, method, path, { body })) as ControlView);

  return {
    arm: async (rule) => void (await send('POST', '/next', { rule })),
    disarm: async () => void (await send('DELETE', '/next')),
    async look() {
      const [state, { cards }] = (await Promise.all([
        callControl(controlUrl, 'GET', '/state'),
        callControl(controlUrl, 'GET', '/cards'),
      ])) as [ControlView & ControlFacts, { readonly cards: readonly ControlCard[] }];
      return { view: viewOf(state), cards: cards.map(cardOf), script: state.script, isAlwaysInHand: state.isManual };
    },
    act: (action) => send(...requestOf(action)),
    takeInHand: (seconds) => send('POST', '/hand', { seconds }),
    letGo: () => send('DELETE', '/hand'),
    watch(onView, onEnd) {
      const ending = new AbortController();
      void follow(new URL('/events', controlUrl), ending.signal, (view) => onView(viewOf(view)))
        .catch(() => undefined)
        .then(() => ending.signal.aborted || onEnd());
      return () => ending.abort();
    },
  };
}

function requestOf(action: Exclude<VirtualAction, { kind: 'HAND' }>): ['POST' | 'DELETE', string, unknown?] {
  switch (action.kind) {
    case 'PRESENT_CARD':
      return ['POST', '/card', { card: action.card }];
    case 'REMOVE_CARD':
      return ['DELETE', '/card'];
    case 'KEY':
      return ['POST', '/key', { key: action.key }];
    case 'ARM':
      return ['POST', '/next', { rule: action.rule }];
    case 'DISARM':
      return ['DELETE', '/next'];
    case 'FAULT':
      return ['POST', '/fault', { fault: action.fault }];
  }
}

function viewOf(view: ControlView): VirtualTerminalView {
  return {
    state: view.state,
    display: [...view.display],
    ...(view.card === null ? {} : { card: view.card }),
    isCardReaderLit: view.isCardReaderLit,
    isLinkUp: view.link === 'UP',
    isInHand: view.isInHand,
    isOutOfPaper: view.conditions.isOutOfPaper,
    ...(view.armed === null ? {} : { armed: view.armed.rule }),
    paper: view.paper.slice(-maxPaperLines),
  };
}

function cardOf({ id, title, scheme, entry, verification, maskedPan, pin }: ControlCard) {
  return {
    ...{ id, title, scheme, entry, verification, lastFour: maskedPan.slice(-4) },
    ...(pin === undefined ? {} : { pin }),
  };
}

/** Reads server-sent events (one `data:` line each) until the stream ends. */
async function follow(url: URL, signal: AbortSignal, onView: (view: ControlView) => void): Promise<void> {
  const { body } = await fetch(url, { signal });
  if (body === null) return;
  const decoder = new TextDecoder();
  let received = '';
  for await (const bytes of body) {
    received += decoder.decode(bytes, { stream: true });
    const events = received.split('\n\n');
    received = events.pop() ?? '';
    if (received.length > maxEventCharacters) return;
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) onView(JSON.parse(data) as ControlView);
    }
  }
}
