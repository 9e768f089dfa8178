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
/** Here and not with the other keys, which every page loads. */
const KEY = ['organisations', 'webhooks'] as const
/** What the loader of the page has asked is not asked again when the tab is drawn. */
const FRESH_MS = 10_000
/** While something waits, what becomes of it is looked at so often. */
const LOOK_EVERY_MS = 3_000

/** The organisation's webhooks, without their secrets; for super users. */
export const webhooksQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => request(PATH, { schema: webhooksSchema, signal }),
  staleTime: FRESH_MS,
})

/** Its log, the newest first; `state` undefined: of every state. */
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

/** What is sent, and each try. */
export const deliveryQuery = (id: number, delivery: string) =>
  queryOptions({
    queryKey: [...KEY, id, 'delivery', delivery],
    queryFn: ({ signal }) => request(`${PATH}/${id}/deliveries/${delivery}`, { schema: deliveryDetailSchema, signal }),
  })

/** How often the delivery of a test is read until it is decided: a person waits for it. */
const TEST_POLL_MS = 1_000

/** A test that was sent, read until it arrived or failed; the list with its counts follows. */
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

/** Makes a webhook and answers its secret, told this once. Throws ProblemError, at `url` or `view`. */
export const makeWebhook = (json: NewWebhook): Promise<MadeWebhook> =>
  changed(request(`${PATH}/`, { method: 'post', json, schema: madeWebhookSchema }))

/** What is not given stays. Throws as `makeWebhook`. */
export const changeWebhook = (id: number, json: WebhookPatch): Promise<undefined> =>
  changed(request(`${PATH}/${id}/`, { method: 'patch', json }))

/** A new secret, told this once; the one before signs as well for a day. Throws ProblemError. */
export const replaceSecret = (id: number): Promise<MadeWebhook> =>
  changed(request(`${PATH}/${id}/secret/`, { method: 'post', schema: madeWebhookSchema }))

export const deleteWebhook = (id: number): Promise<undefined> =>
  changed(request(`${PATH}/${id}/`, { method: 'delete' }))

/** Sends a test, once. Returns the id of its delivery. */
export const testWebhook = async (id: number): Promise<string> => {
  const schema = z.object({ delivery: z.string() })
  return (await changed(request(`${PATH}/${id}/test/`, { method: 'post', schema }))).delivery
}

/** Sends one again, with the same id. */
export const resendDelivery = (id: number, delivery: string): Promise<undefined> =>
  changed(request(`${PATH}/${id}/deliveries/${delivery}/resend/`, { method: 'post' }))

/** Sends all that did not arrive since a moment again, and answers how many. */
export const resendSince = async (id: number, since: string): Promise<number> =>
  (await changed(request(`${PATH}/${id}/resend/`, { method: 'post', json: { since }, schema: resentSchema }))).resent
