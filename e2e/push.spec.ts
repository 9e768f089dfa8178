import { expect, test } from '@playwright/test'
import { logIn, SALES } from './sign-in.ts'

/** What jsdom cannot promise: a true worker that a push message wakes, and what the browser then shows. Its push service is stood in for by the browser's own door for developers. */
test.use({ serviceWorkers: 'allow', permissions: ['notifications'] })

test('a push message wakes the worker and is shown with its buttons, twice sent once shown; one that cannot be read says so', async ({
  page,
  context,
}) => {
  await logIn(page, SALES)
  const origin = new URL(page.url()).origin
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${origin}/` && !isDeleted)
      if (found) resolve(found.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  const registrationId = await registered
  const deliver = (data: string) => session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      const all = (await registration.getNotifications()) as (Notification & {
        actions?: readonly { action: string; title: string }[]
      })[]
      return all.map(({ title, body, tag, actions }) => ({
        title,
        body,
        tag,
        actions: actions?.map((one) => one.title),
      }))
    })
  const message = {
    ...{ id: 'message', title: 'วันยื่นข้อเสนอคือพรุ่งนี้', body: 'ซื้อกล้อง\nกองช่าง', path: '/report', unread: 2, at: 0 },
    ...{ star: 'token-to-star', hide: 'token-to-hide' },
  }
  await deliver(JSON.stringify(message))
  const once = [{ title: message.title, body: message.body, tag: 'message', actions: ['ติดดาว', 'ไม่สนใจ'] }]
  await expect.poll(shown).toEqual(once)
  await deliver(JSON.stringify(message))
  await deliver('not ours')
  await expect
    .poll(shown)
    .toEqual(expect.arrayContaining([...once, expect.objectContaining({ title: 'มีเรื่องใหม่ในตามงาน' })]))
  expect(await shown()).toHaveLength(2)
})

test('settings offer push on this device; a browser that cannot reach its push service says so in Thai', async ({
  page,
}) => {
  await logIn(page, SALES)
  await page.goto('/settings?tab=notifications')
  const section = page.getByRole('region', { name: 'แจ้งบนเครื่อง' })
  await section.getByRole('button', { name: 'แจ้งบนเครื่องนี้' }).click()
  // Chromium in tests has no push service.
  await expect(section.getByRole('status')).toContainText('เบราว์เซอร์ติดต่อบริการแจ้งเตือนของตัวเองไม่ได้')
})
