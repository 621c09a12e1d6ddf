import type { ServerResponse } from 'node:http';
import type { TerminalView } from '../terminal-view.ts';
import { ControlError } from './control-error.ts';

/** Most drawings of the terminal at one time. */
const MAX_WATCHERS = 16;
/** A watcher that does not read is dropped when so much waits for it. */
const MAX_UNREAD_BYTES = 256 * 1024;

export interface EventStream {
  /** Answers a request with server-sent events: the view now, and again after every change. */
  add(response: ServerResponse): void;
  publish(view: TerminalView): void;
  close(): void;
}

/** Sends every change of what the terminal shows to those who draw it. */
export function createEventStream(currentView: () => TerminalView): EventStream {
  const watchers = new Set<ServerResponse>();
  const write = (response: ServerResponse, view: TerminalView) => {
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
    else response.write(`event: state\ndata: ${JSON.stringify(view)}\n\n`);
  };
  return {
    add(response) {
      if (watchers.size >= MAX_WATCHERS) throw new ControlError(429, `At most ${MAX_WATCHERS} can watch at one time.`);
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      watchers.add(response);
      response.on('close', () => watchers.delete(response));
      write(response, currentView());
    },
    publish(view) {
      for (const response of watchers) write(response, view);
    },
    close() {
      for (const response of watchers) response.end();
    },
  };
}
