import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { UDEV_RULE_FILE, udevRule } from '../transport/find-hid-device.ts';

/** Who has a serial port open, in words for an operator (`node (pid 4711)`); undefined where that cannot be seen. Linux only. */
export async function holderOfPort(path: string): Promise<string | undefined> {
  const device = await realpath(path).catch(() => path);
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const targets = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
    if (!targets.includes(device)) continue;
    const name = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'a program')).trim();
    return `${name} (pid ${pid})`;
  }
  return undefined;
}

/** The command that gives this user the right to a serial port; undefined elsewhere than on Linux. It counts from the next login on. */
export async function permissionCommand(
  path: string,
  platform: string = process.platform,
): Promise<string | undefined> {
  if (platform !== 'linux') return undefined;
  const groupId = (await stat(path).catch(() => undefined))?.gid;
  const groups = await readFile('/etc/group', 'utf8').catch(() => '');
  return `sudo usermod -a -G ${groupNameOf(groups, groupId) ?? 'dialout'} ${userInfo().username}`;
}

/** The command that gives the person at the screen the right to the USB readers of a maker; undefined elsewhere than on Linux. */
export function udevCommand(vendorId: number, platform: string = process.platform): string | undefined {
  if (platform !== 'linux') return undefined;
  return `echo '${udevRule(vendorId)}' | sudo tee ${UDEV_RULE_FILE} && sudo udevadm control --reload && sudo udevadm trigger`;
}

/** The name of a group in the lines of /etc/group (name:password:id:members). */
export function groupNameOf(groups: string, groupId: number | undefined): string | undefined {
  const fields = groups.split('\n').map((line) => line.split(':'));
  return fields.find(([, , id]) => id !== undefined && id !== '' && Number(id) === groupId)?.[0];
}
