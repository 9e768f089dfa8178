import type { QueryKey } from '@tanstack/react-query'
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'
import { type ChangeMutationOptions, defineOptimisticChange } from '#src/api/optimistic-changes.ts'

type OptimisticChange<Variables> = Parameters<typeof defineOptimisticChange<Variables & object, void>>[0]

type OperatorChange<Variables> = Pick<OptimisticChange<Variables>, 'name' | 'scope'> & {
  /** Its effect while it is pending; without one the page shows it after the refetch. */
  layer?: OptimisticChange<Variables>['layers'][number]
  /** Prefix of the error message. If absent, the caller must report the result. */
  failed?: string
  refetches: QueryKey
  send: (variables: Variables) => readonly [path: string, method: 'post' | 'patch', json?: object]
}

export const defineOperatorChange = <Variables extends object>({
  failed,
  refetches,
  send,
  layer,
  ...change
}: OperatorChange<Variables>): ChangeMutationOptions<Variables, void> =>
  defineOptimisticChange<Variables, void>({
    ...change,
    layers: layer ? [layer] : [],
    tags: () => [],
    ...(failed !== undefined && { message: { failed } }),
    send: async (variables, call) => {
      const [path, method, json] = send(variables)
      await invalidateAfter(call(`operation/${path}`, { method, ...(json && { json }) }), refetches)
    },
  })
