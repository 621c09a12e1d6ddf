/** Names between the page and the double. */
export const sendBinding = '__doubleSend';
export const receiveSymbol = 'electron-double.receive';
/** Tells the address of a window that the page wants to open. */
export const openChannel = 'double:open';

/**
 * What the page runs before its own scripts: the built preload, unchanged, in a closure that has the two parts of Electron which a sandboxed
 * preload gets. Electron runs it in a world of its own; here it is the closure that keeps `ipcRenderer` from the page. Electron asks the shell before a
 * window opens; here `window.open` and links to a new window do.
 */
export function pageShim(preload: string): string {
  return `(() => {
    const send = window.${sendBinding};
    delete window.${sendBinding};
    if (window !== window.top) return;
    const listeners = new Map();
    Object.defineProperty(window, Symbol.for('${receiveSymbol}'), {
      value: (channel, args) => { for (const listener of listeners.get(channel) ?? []) listener({}, ...args); },
    });
    const ask = (address) => void send('${openChannel}', [new URL(address, location.href).href]);
    window.open = (address = 'about:blank') => {
      ask(address);
      return null;
    };
    window.addEventListener('click', (event) => {
      const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement && each.target === '_blank');
      if (link === undefined) return;
      event.preventDefault();
      ask(link.href);
    });
    const electron = {
      ipcRenderer: {
        on: (channel, listener) => void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
        send: (channel, ...args) => void send(channel, args),
      },
      contextBridge: {
        exposeInMainWorld: (name, api) =>
          Object.defineProperty(window, name, { value: Object.freeze({ ...api }), enumerable: true }),
      },
    };
    const require = (name) => {
      if (name !== 'electron') throw new Error('a sandboxed preload can load nothing but electron: ' + name);
      return electron;
    };
    ((require, exports, module) => {
${preload}
    })(require, {}, {});
  })();`;
}
