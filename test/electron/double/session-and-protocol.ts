import { EventEmitter } from 'node:events';

type Handler = (request: Request) => Promise<Response>;
type PermissionRequest = (
  contents: unknown,
  permission: string,
  decide: (granted: boolean) => void,
  details: { requestingUrl: string },
) => void;
type PermissionCheck = (contents: unknown, permission: string, origin: string) => boolean;
type RequestFilter = (details: { url: string }, decide: (answer: { cancel?: boolean }) => void) => void;

const handlers = new Map<string, Handler>();
/** Schemes with their privileges, as they were registered. */
export const registeredSchemes: unknown[] = [];

export const protocol = {
  registerSchemesAsPrivileged: (schemes: readonly unknown[]) => void registeredSchemes.push(...schemes),
  handle: (scheme: string, handler: Handler) => void handlers.set(scheme, handler),
};

/** Answers as Electron's network layer does: by the scheme's handler, or not at all. */
export async function answerOwn(url: string, method: string): Promise<Response | undefined> {
  return handlers.get('app')?.(new Request(url, { method }));
}

class Session extends EventEmitter {
  permissionRequest: PermissionRequest | undefined;
  permissionCheck: PermissionCheck | undefined;
  devicePermission: (() => boolean) | undefined;
  filter: RequestFilter | undefined;
  readonly webRequest = {
    onBeforeRequest: (filter: RequestFilter) => {
      this.filter = filter;
    },
  };

  setPermissionRequestHandler(handler: PermissionRequest): void {
    this.permissionRequest = handler;
  }

  setPermissionCheckHandler(handler: PermissionCheck): void {
    this.permissionCheck = handler;
  }

  setDevicePermissionHandler(handler: () => boolean): void {
    this.devicePermission = handler;
  }

  async mayRequest(url: string): Promise<boolean> {
    const { filter } = this;
    if (filter === undefined) return true;
    const answer = await new Promise<{ cancel?: boolean }>((resolve) => filter({ url }, resolve));
    return answer.cancel !== true;
  }

  /** As when the page asks, and as when it only looks. Electron grants what nobody refuses. */
  async judge(permission: string, url: string): Promise<{ request: boolean; check: boolean; device: boolean }> {
    const { permissionRequest } = this;
    const request =
      permissionRequest === undefined ||
      (await new Promise<boolean>((resolve) => permissionRequest({}, permission, resolve, { requestingUrl: url })));
    return {
      request,
      check: this.permissionCheck?.({}, permission, url) ?? true,
      device: this.devicePermission?.() ?? true,
    };
  }
}

export const session = { defaultSession: new Session() };
