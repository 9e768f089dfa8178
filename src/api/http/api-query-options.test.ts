import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { apiQueryOptions } from './api-query-options.ts'
import { startFakeNetwork, stopFakeNetwork } from './network-for-tests.ts'

const client = new QueryClient()
const schema = z.object({ count: z.number() })

afterEach(() => {
  client.clear()
  stopFakeNetwork()
})

test('encodes the parameters into the path, and selects from the validated response', async () => {
  const network = startFakeNetwork(() => ({ count: 3, extra: true }))
  const options = apiQueryOptions('organisations/me/webhooks/:id/deliveries/:delivery', {
    queryKey: ['deliveries', 7],
    params: { id: 7, delivery: 'a/b' },
    schema,
    select: ({ count }) => count,
    staleTime: 0,
  })
  expect(await client.query(options)).toBe(3)
  expect(client.getQueryData(options.queryKey)).toEqual({ count: 3 })
  expect(network.to('organisations/me/webhooks/7/deliveries/a%2Fb')).toHaveLength(1)
})

test('posts a body, and aborts the request of a cancelled query', async () => {
  const network = startFakeNetwork()
  const options = apiQueryOptions('mail-links/look', { queryKey: ['link'], json: { token: 't' }, schema, staleTime: 0 })
  const response = client.query(options)
  await vi.waitFor(() =>
    expect(network.to('mail-links/look')).toMatchObject([{ method: 'POST', body: { token: 't' } }]),
  )
  await client.cancelQueries(options)
  await expect(response).rejects.toThrow()
  expect(network.to('mail-links/look')[0]!.isAborted()).toBe(true)
})

test('checks path, parameters, body and stale time by type', () => {
  const rest = { queryKey: ['any'], schema, staleTime: 0 } as const
  // @ts-expect-error The server has no such route.
  apiQueryOptions('users/you', rest)
  // @ts-expect-error `id` is missing.
  apiQueryOptions('documents/:id', rest)
  // @ts-expect-error A GET has no body.
  apiQueryOptions('users/me', { ...rest, json: {} })
  // @ts-expect-error A POST needs its body.
  apiQueryOptions('mail-links/look', rest)
  // @ts-expect-error The stale time is missing.
  expect(apiQueryOptions('users/me', { queryKey: ['any'], schema })).toMatchObject({ queryKey: ['any'] })
})
