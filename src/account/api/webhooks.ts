import { infiniteQueryOptions } from '@tanstack/react-query'
import { z } from 'zod/mini'
import {
  type CreatedWebhook,
  createdWebhookSchema,
  type NewWebhook,
  type WebhookDeliveryState,
  type WebhookPatch,
  webhookDeliveriesSchema,
  webhookDeliveryDetailSchema,
  webhookResendResponseSchema,
  webhooksSchema,
} from '#contract/account/webhook.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const PATH = 'organisations/me/webhooks'
const POLL_INTERVAL_MS = 3_000

export const webhooksQuery = apiQueryOptions('organisations/me/webhooks', {
  queryKey: ['organisations', 'webhooks'],
  schema: webhooksSchema,
  staleTime: 10_000,
})

export const webhookDeliveriesQuery = (id: number, state: WebhookDeliveryState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...webhooksQuery.queryKey, id, 'deliveries', state ?? 'all'],
    queryFn: ({ signal, pageParam }) =>
      sendApiRequest(`${PATH}/${id}/deliveries`, {
        schema: webhookDeliveriesSchema,
        signal,
        query: { ...(state && { state }), ...(pageParam !== '' && { before: pageParam }) },
      }),
    staleTime: 0,
    initialPageParam: '',
    getNextPageParam: ({ more }) => more ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages[0]?.deliveries.some((delivery) => delivery.state === 'waiting' && delivery.attempts === 0)
        ? POLL_INTERVAL_MS
        : false,
  })

export const webhookDeliveryQuery = (id: number, delivery: string) =>
  apiQueryOptions('organisations/me/webhooks/:id/deliveries/:delivery', {
    queryKey: [...webhooksQuery.queryKey, id, 'delivery', delivery],
    params: { id, delivery },
    schema: webhookDeliveryDetailSchema,
    staleTime: 0,
  })

/** Refetches the webhooks with their delivery counts, but not their deliveries. */
export const refetchWebhooks = () =>
  void queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey, exact: true })

const withInvalidation = <Data>(request: Promise<Data>) => invalidateAfter(request, webhooksQuery.queryKey)

export const createWebhook = (json: NewWebhook): Promise<CreatedWebhook> =>
  withInvalidation(sendApiRequest(`${PATH}/`, { method: 'post', json, schema: createdWebhookSchema }))

export const updateWebhook = (id: number, json: WebhookPatch): Promise<undefined> =>
  withInvalidation(sendApiRequest(`${PATH}/${id}/`, { method: 'patch', json }))

/** For one day requests are also signed with the previous secret, so that receivers can switch. */
export const replaceWebhookSecret = (id: number): Promise<CreatedWebhook> =>
  withInvalidation(sendApiRequest(`${PATH}/${id}/secret/`, { method: 'post', schema: createdWebhookSchema }))

export const deleteWebhook = (id: number): Promise<undefined> =>
  withInvalidation(sendApiRequest(`${PATH}/${id}/`, { method: 'delete' }))

export const testWebhook = async (id: number): Promise<string> => {
  const schema = z.object({ delivery: z.string() })
  return (await withInvalidation(sendApiRequest(`${PATH}/${id}/test/`, { method: 'post', schema }))).delivery
}

export const resendWebhookDelivery = (id: number, delivery: string): Promise<undefined> =>
  withInvalidation(sendApiRequest(`${PATH}/${id}/deliveries/${delivery}/resend/`, { method: 'post' }))

export const resendWebhookDeliveriesSince = async (id: number, since: string): Promise<number> => {
  const options = { method: 'post', json: { since }, schema: webhookResendResponseSchema } as const
  return (await withInvalidation(sendApiRequest(`${PATH}/${id}/resend/`, options))).resent
}
