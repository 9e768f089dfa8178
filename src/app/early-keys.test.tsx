import { readFileSync } from 'node:fs'
import path from 'node:path'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { organisationKeys, userKeys } from '#src/api/http/keys.ts'
import { startNetwork, stopNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { organisationForTests } from '#src/matching/api/organisation-for-tests.ts'
import { sessionForTests, userForTests } from '#src/report/api/user-api-for-tests.ts'
import { PaletteHost } from '#src/shell/palette/palette-button.tsx'
import { type ShortcutPress, useShortcuts } from '#src/shell/shortcuts/use-shortcuts.ts'

const script = readFileSync(path.join(import.meta.dirname, '../../public/theme.js'), 'utf8')
// Loading the code takes seconds on a busy machine.
const ARRIVES = { timeout: 15_000 }

beforeAll(
  async () =>
    void (await Promise.all([import('#src/shell/palette/palette.tsx'), import('#src/ui/overlay/modal-panel.tsx')])),
  60_000,
)
beforeEach(() => {
  startSession(sessionForTests())
  startNetwork()
  queryClient.setQueryData(userKeys.me, userForTests())
  queryClient.setQueryData(organisationKeys.me, organisationForTests())
})
afterEach(() => {
  endSession('logout')
  stopNetwork()
  window.earlyAnswers = undefined
  window.earlyKeys = undefined
  window.history.replaceState(null, '', '/')
})

/** Simulates the page before any code has loaded: the address and the inline head script. */
function openPage(address: string): void {
  window.history.replaceState(null, '', address)
  const listen = vi.spyOn(document, 'addEventListener')
  new Function(script)()
  for (const [type, listener] of listen.mock.calls) onTestFinished(() => document.removeEventListener(type, listener))
  listen.mockRestore()
}
const press = (key: string, more: KeyboardEventInit = {}) => fireEvent.keyDown(document.body, { key, ...more })
const pressPalette = () => press('k', { code: 'KeyK', ctrlKey: true })

function startCode() {
  const run = vi.fn<(press: ShortcutPress) => void>()
  function Screen() {
    useShortcuts(run)
    return (
      <QueryClientProvider client={queryClient}>
        <input aria-label="ช่องของหน้า" />
        <PaletteHost />
      </QueryClientProvider>
    )
  }
  const router = createRouter({
    routeTree: createRootRoute({ component: Screen }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  const { unmount } = render(<RouterProvider router={router} />)
  return { unmount, names: () => run.mock.calls.map(([{ name, letter }]) => (letter ? `${name} ${letter}` : name)) }
}
const isThere = () => screen.findByLabelText('ช่องของหน้า')
const palette = () => screen.findByRole('combobox', { name: 'ค้นและไปที่' }, ARRIVES)

test('Ctrl+K before the code has loaded opens the palette later, with the text typed meanwhile', async () => {
  openPage('/watch')
  // Otherwise the browser's built-in search on this key would take the focus.
  expect(pressPalette()).toBe(false)
  for (const letter of 'ก่ล') press(letter)
  const { names } = startCode()
  const box = await palette()
  await waitFor(() => expect(box).toHaveValue('ก่ล'), ARRIVES)
  expect(box).toHaveFocus()
  expect(names()).toEqual([])
})

test('text typed before the box appears goes into the box, and Esc cancels', async () => {
  const { names } = startCode()
  await isThere()
  pressPalette()
  for (const key of ['b', 'x', 'Backspace', 'l']) press(key)
  const box = await palette()
  await waitFor(() => expect(box).toHaveValue('bl'), ARRIVES)
  expect(names()).toEqual([])
  press('k', { code: 'KeyK', ctrlKey: true })
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull(), ARRIVES)
  press('b')
  expect(names()).toEqual(['star'])
})

test('replays keys of the screen once and in order when its code has loaded', async () => {
  openPage('/report')
  for (const key of ['j', '?', 'g', 'w', 'Tab', ' ']) press(key)
  press('c', { ctrlKey: true })
  const { names, unmount } = startCode()
  await isThere()
  expect(names()).toEqual(['next', 'help', 'go w'])
  press('k')
  expect(names()).toEqual(['next', 'help', 'go w', 'previous'])
  unmount()
  const again = startCode()
  await isThere()
  expect(again.names()).toEqual([])
})

test('does not replay keys pressed on another screen', async () => {
  openPage('/report')
  press('j')
  window.history.replaceState(null, '', '/watch')
  const elsewhere = startCode()
  await isThere()
  expect(elsewhere.names()).toEqual([])
})

test('does not replay keys pressed long ago', async () => {
  openPage('/report')
  press('j')
  pressPalette()
  const now = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(now + 16_000)
  const { names } = startCode()
  await isThere()
  expect(names()).toEqual([])
  expect(screen.queryByRole('combobox')).toBeNull()
  vi.restoreAllMocks()
})

test('records nothing typed into a field', () => {
  const field = document.body.appendChild(document.createElement('input'))
  openPage('/report')
  fireEvent.keyDown(field, { key: 'j' })
  expect(window.earlyKeys).toEqual({ path: '/report', palette: [], single: [] })
  field.remove()
})

test.each(['/report', '/login'])('records nothing on %s when signed out', (address) => {
  endSession('logout')
  openPage(address)
  expect(window.earlyKeys).toBeUndefined()
  expect(pressPalette()).toBe(true)
})
