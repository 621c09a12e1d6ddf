import { Button, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconChevronDown, IconLock, IconMoon, IconSun, IconUser } from '@tabler/icons-react';
import { useSession, useSignOut } from '../hooks/use-session.ts';
import { useTexts } from '../hooks/use-texts.ts';
import { LanguageMenu } from './language-menu.tsx';
import { roleTexts } from './role-texts.ts';
import { TerminalChip } from './terminal-chip.tsx';
import styles from './top-bar.module.css';

/** The one line that is always there: terminals, language, who is signed in. */
export function TopBar({ isInert }: { readonly isInert: boolean }) {
  const { terminals } = useSession();
  return (
    <header className={styles.bar}>
      <div className={styles.terminals}>
        {terminals.map((terminal) => (
          <TerminalChip key={terminal.terminalId} terminal={terminal} />
        ))}
      </div>
      <div className={styles.menus} inert={isInert}>
        <LanguageMenu />
        <StaffMenu />
      </div>
    </header>
  );
}

function StaffMenu() {
  const { t } = useTexts();
  const { signedIn } = useSession();
  const signOut = useSignOut();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconUser size={20} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden />}
        >
          {signedIn.name} <span className={styles.role}>({t(roleTexts[signedIn.role])})</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={scheme === 'dark' ? <IconSun size={20} aria-hidden /> : <IconMoon size={20} aria-hidden />}
          onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
        >
          {scheme === 'dark' ? t('common:theme.light') : t('common:theme.dark')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLock size={20} aria-hidden />} onClick={() => signOut.mutate()}>
          {t('common:signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
