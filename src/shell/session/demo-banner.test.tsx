import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { DemoBanner } from './demo-banner.tsx'

function show(contact?: string) {
  if (contact !== undefined) {
    const meta = document.createElement('meta')
    meta.name = 'contact-url'
    meta.content = contact
    document.head.append(meta)
  }
  const router = createRouter({
    routeTree: createRootRoute({ component: DemoBanner }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(<RouterProvider router={router} />)
}
afterEach(() => document.querySelector('meta[name="contact-url"]')?.remove())

test('warns that the demo data may not fit, and links to a free trial at the operator', async () => {
  show('https://line.me/R/ti/p/@tamngan')
  const link = await screen.findByRole('link', { name: 'ติดต่อทีมงานเพื่อทดลองใช้เต็มรูปแบบฟรี' })
  expect(link).toHaveAttribute('href', 'https://line.me/R/ti/p/@tamngan')
  expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  expect(screen.getByRole('note')).toHaveTextContent('อาจไม่ตรงกับคำค้นของบริษัทคุณ')
})

test('opens no new tab for a mail address', async () => {
  show('mailto:team@tamngan.example')
  const link = await screen.findByRole('link', { name: /ทดลองใช้เต็มรูปแบบฟรี/ })
  expect(link).toHaveAttribute('href', 'mailto:team@tamngan.example')
  expect(link).not.toHaveAttribute('target')
})

test('links to the contact page without an address', async () => {
  show()
  const link = await screen.findByRole('link', { name: 'ติดต่อทีมงานเพื่อทดลองใช้เต็มรูปแบบฟรี' })
  expect(link).toHaveAttribute('href', '/contact')
})
