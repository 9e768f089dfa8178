import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ContactPage } from './contact-page.tsx'

function show(contact?: string) {
  if (contact !== undefined) {
    const meta = document.createElement('meta')
    meta.name = 'contact-url'
    meta.content = contact
    document.head.append(meta)
  }
  const router = createRouter({
    routeTree: createRootRoute({ component: ContactPage }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(<RouterProvider router={router as never} />)
}
afterEach(() => document.querySelector('meta[name="contact-url"]')?.remove())

test.each([
  ['mailto:team@tamngan.example?subject=demo', 'ส่งอีเมลถึง team@tamngan.example'],
  ['tel:+6620000000', 'โทร +6620000000'],
  ['https://line.me/R/ti/p/@tamngan', 'ไปหน้าติดต่อทีมงาน'],
])('%s becomes the contact link', async (url, words) => {
  show(url)
  expect(await screen.findByRole('link', { name: words })).toHaveAttribute('href', url)
})

test('explains a missing contact address and offers registration', async () => {
  show()
  expect(await screen.findByText(/ยังไม่ได้ตั้งที่อยู่ติดต่อ/)).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'สมัครใช้งาน' })).toHaveAttribute('href', '/register')
})
