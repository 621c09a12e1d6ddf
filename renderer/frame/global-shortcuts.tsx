import { Modal, Table } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useContext, useState, useSyncExternalStore } from 'react';
import type { Shortcut } from '../hooks/shortcut-book.ts';
import { useSession, useSignOut } from '../hooks/use-session.ts';
import { ShortcutContext, useShortcuts } from '../hooks/use-shortcuts.ts';
import { useTexts } from '../hooks/use-texts.ts';
import { pagesFor } from './pages.ts';

/** Keys that work on every page while no payment runs, and the sheet that lists all that work now. */
export function GlobalShortcuts({ isPaying }: { readonly isPaying: boolean }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { signedIn } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const open = () => {
    setIsOpen(true);
    return true;
  };
  const shortcuts: readonly Shortcut[] = [
    { keys: ['?'], shown: '?', label: 'common:shortcuts.sheet', run: open },
    {
      keys: ['Ctrl+l'],
      shown: 'Ctrl L',
      label: 'common:signOut',
      run() {
        signOut.mutate();
        return true;
      },
    },
    ...pagesFor(signedIn.role)
      .slice(0, 9)
      .map(
        ({ href, label }, index): Shortcut => ({
          keys: [`g ${index + 1}`],
          shown: `G ${index + 1}`,
          label,
          run() {
            void navigate({ to: href });
            return true;
          },
        }),
      ),
  ];
  useShortcuts(shortcuts, !isPaying);
  return (
    <Modal
      opened={isOpen && !isPaying}
      onClose={() => setIsOpen(false)}
      title={t('common:shortcuts.title')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <ShortcutTable />
    </Modal>
  );
}

function ShortcutTable() {
  const { t } = useTexts();
  const book = useContext(ShortcutContext);
  const shortcuts = useSyncExternalStore(book.subscribe, book.list);
  return (
    <Table data-testid="shortcuts">
      <Table.Tbody>
        {shortcuts.map(({ shown, label, values }) => (
          <Table.Tr key={`${shown} ${label}`}>
            <Table.Th scope="row">
              <kbd>{shown}</kbd>
            </Table.Th>
            <Table.Td>{t(label, values)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
