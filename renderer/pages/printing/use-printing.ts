import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PrintResult } from '../../../app/contract/console/printing.ts';
import { useConsole } from '../../hooks/console-context.ts';

/** The printers of the till. */
export function usePrinters() {
  const api = useConsole();
  return useQuery({ queryKey: ['printing.printers'], queryFn: () => api.call('printing.printers', {}) });
}

/** Something that prints; the inbox is looked at again afterwards. */
export function usePrint<Request>(call: (request: Request) => Promise<PrintResult>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['attention.list'] }),
  });
}

/** A file that the till makes ready: the browser saves it. */
export function useFile<Request>(call: (request: Request) => Promise<{ readonly url: string }>) {
  return useMutation({
    mutationFn: call,
    onSuccess({ url }) {
      window.location.assign(url);
    },
  });
}
