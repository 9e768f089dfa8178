import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod/mini'
import {
  type DeliveryState,
  deliveriesSchema,
  deliveryDetailSchema,
  type MadeWebhook,
  madeWebhookSchema,
  type NewWebhook,
  resentSchema,
  type WebhookPatch,
  webhooksSchema,
} from '#contract/account/webhook.ts'
import { request } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const PATH = 'organisations/me/webhooks'
/** Defined here because the shared keys file is loaded by every page. */
const KEY = ['organisations', 'webhooks'] as const
/** Avoids refetching on mount what the route loader just fetched. */
const FRESH_MS = 10_000
const LOOK_EVERY_MS = 3_000

/** For super users; without the secrets. */
export const webhooksQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => request(PATH, { schema: webhooksSchema, signal }),
  staleTime: FRESH_MS,
})

/** Newest first; `state` undefined: all states. */
export const deliveriesQuery = (id: number, state: DeliveryState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...KEY, id, 'deliveries', state ?? 'all'],
    queryFn: ({ signal, pageParam }) =>
      request(`${PATH}/${id}/deliveries`, {
        schema: deliveriesSchema,
        signal,
        query: { ...(state && { state }), ...(pageParam !== '' && { before: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ more }) => more ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages[0]?.deliveries.some((one) => one.state === 'waiting' && one.attempts === 0) ? LOOK_EVERY_MS : false,
  })

export const deliveryQuery = (id: number, delivery: string) =>
  queryOptions({
    queryKey: [...KEY, id, 'delivery', delivery],
    queryFn: ({ signal }) => request(`${PATH}/${id}/deliveries/${delivery}`, { schema: deliveryDetailSchema, signal }),
  })

/** Poll interval of a test delivery; short, because the user is waiting. */
const TEST_POLL_MS = 1_000

/** Polls a test delivery until it succeeds or fails, then refreshes the list with its counts. */
export const testDeliveryQuery = (id: number, delivery: string) =>
  queryOptions({
    queryKey: [...KEY, id, 'test', delivery],
    queryFn: async ({ signal }) => {
      const test = await request(`${PATH}/${id}/deliveries/${delivery}`, { schema: deliveryDetailSchema, signal })
      if (test.state !== 'waiting') void queryClient.invalidateQueries({ queryKey: KEY, exact: true })
      return test
    },
    refetchInterval: ({ state: { data } }) => (data === undefined || data.state === 'waiting' ? TEST_POLL_MS : false),
  })

const askAgain = () => queryClient.invalidateQueries({ queryKey: KEY })

async function changed<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    await askAgain()
  }
}

/** Creates a webhook and returns its secret, shown only once. Throws ProblemError, at `url` or `view`. */
export const makeWebhook = (json: NewWebhook): Promise<MadeWebhook> =>
  changed(request(`${PATH}/`, { method: 'post', json, schema: madeWebhookSchema }))

/** Omitted fields stay unchanged. Throws like `makeWebhook`. */
export const changeWebhook = (id: number, json: WebhookPatch): Promise<undefined> =>
  changed(request(`${PATH}/${id}/`, { method: 'patch', json }))

/** Creates a new secret, shown only once; the previous one also signs for another day. Throws ProblemError. */
export const replaceSecret = (id: number): Promise<MadeWebhook> =>
  changed(request(`${PATH}/${id}/secret/`, { method: 'post', schema: madeWebhookSchema }))

export const deleteWebhook = (id: number): Promise<undefined> =>
  changed(request(`${PATH}/${id}/`, { method: 'delete' }))

/** Returns the id of the test delivery. */
export const testWebhook = async (id: number): Promise<string> => {
  const schema = z.object({ delivery: z.string() })
  return (await changed(request(`${PATH}/${id}/test/`, { method: 'post', schema }))).delivery
}

export const resendDelivery = (id: number, delivery: string): Promise<undefined> =>
  changed(request(`${PATH}/${id}/deliveries/${delivery}/resend/`, { method: 'post' }))

/** Resends every failed delivery since then; returns their number. */
export const resendSince = async (id: number, since: string): Promise<number> =>
  (await changed(request(`${PATH}/${id}/resend/`, { method: 'post', json: { since }, schema: resentSchema }))).resent
