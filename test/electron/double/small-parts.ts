import { spawn } from 'node:child_process';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';

interface MenuItem {
  readonly label?: string;
  readonly role?: string;
  readonly click?: () => void;
  readonly submenu?: readonly MenuItem[];
}

export class Menu {
  static application: Menu | undefined;
  readonly items: readonly MenuItem[];

  constructor(items: readonly MenuItem[]) {
    this.items = items;
  }

  static buildFromTemplate(items: readonly MenuItem[]): Menu {
    return new Menu(items);
  }

  static setApplicationMenu(menu: Menu): void {
    Menu.application = menu;
  }

  choose(label: string): void {
    const all = this.items.flatMap((item) => [item, ...(item.submenu ?? [])]);
    const found = all.find((item) => item.label === label);
    if (found?.click === undefined) throw new Error(`the menu has no "${label}"`);
    found.click();
  }
}

export class Tray extends EventEmitter {
  static newest: Tray | undefined;
  menu: Menu | undefined;

  constructor(image: { isEmpty(): boolean }) {
    super();
    if (image.isEmpty()) throw new Error('the tray has no picture');
    Tray.newest = this;
  }

  setToolTip(): void {}

  setContextMenu(menu: Menu): void {
    this.menu = menu;
  }

  destroy(): void {
    Tray.newest = undefined;
  }
}

export const nativeImage = {
  createFromPath: (path: string) => ({ isEmpty: () => !existsSync(path) }),
};

const sealKey = Buffer.alloc(32, 7);
export const safeStorage = {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => process.env.DOUBLE_KEY_STORE ?? 'gnome_libsecret',
  encryptString(text: string): Buffer {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', sealKey, nonce);
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  },
  decryptString(sealed: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(-16));
    return decipher.update(sealed.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
  },
};

export const powerMonitor = new EventEmitter();

/** Dialogs stay open until the test answers them. */
export const openDialogs: {
  readonly message: string;
  readonly buttons: readonly string[];
  answer(response: number): void;
}[] = [];
export const dialog = {
  showMessageBox: (_window: unknown, { message, buttons }: { message: string; buttons: readonly string[] }) =>
    new Promise<{ response: number }>((resolve) => {
      openDialogs.push({ message, buttons, answer: (response) => resolve({ response }) });
    }),
  showErrorBox: () => {},
};

/** Addresses that went to the system's browser. */
export const openedOutside: string[] = [];
export const shell = {
  openExternal: async (url: string) => void openedOutside.push(url),
};

export const utilityProcess = {
  fork: (program: string, args: readonly string[], { env = process.env }: { readonly env?: NodeJS.ProcessEnv } = {}) =>
    spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env }),
};
