import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { endSession, getCurrentSession, setServerReachable, startSession } from '#src/lib/session-store.ts'
import { setAccessTokenRenewalHandler } from './client.ts'
import { uploadFile } from './file-upload.ts'
import { FakeUpload } from './upload-for-tests.ts'

afterEach(() => {
  setAccessTokenRenewalHandler(async () => getCurrentSession()?.access)
  endSession('logout')
  setServerReachable(true)
  vi.unstubAllGlobals()
})

test('on a personal device renews a session that expired while offline before it uploads', async () => {
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const now = Date.now()
  startSession({ access: 'old', refresh: 'r', isDemo: false, receivedAtMs: now - 1000, expiresAtMs: now - 1 })
  setServerReachable(false)
  setAccessTokenRenewalHandler(async () => 'new')
  const setHeader = vi.spyOn(FakeUpload.prototype, 'setRequestHeader')
  void uploadFile({
    path: 'projects/1/documents',
    file: new File(['a'], 'a.pdf'),
    schema: z.object({}),
    onProgress: () => undefined,
    signal: new AbortController().signal,
  })
  await vi.waitFor(() => expect(setHeader).toHaveBeenCalledWith('authorization', 'Bearer new'))
})
