import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#src/api/http/query-client.ts'
import { documentSearchQuery } from '#src/documents/api/documents.ts'
import { DocumentPassages } from './document-passages.tsx'

const page = (number: number) => ({
  document_id: 'd/1',
  document_name: 'TOR.pdf',
  project_id: '1',
  project_name: null,
  page: number,
  count: 1,
  is_from_picture: number === 3,
  excerpt: { text: 'ต้องมี ISO 9001 ที่ยังไม่หมดอายุ', marks: [{ from: 7, to: 15 }] },
})
const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <DocumentPassages projectId="1" query="ISO 9001" />
    </QueryClientProvider>,
  )
beforeEach(() => queryClient.clear())

test('shows the first passages with marked matches, each linked to its page, and the page count', () => {
  queryClient.setQueryData(documentSearchQuery('1', 'ISO 9001').queryKey, {
    total: 5,
    results: [1, 2, 3, 4, 5].map(page),
  })
  show()
  expect(screen.getByRole('region', { name: 'พบในเอกสาร' })).toHaveTextContent('พบในเอกสาร 5 หน้า')
  const links = screen.getAllByRole('link')
  expect(links).toHaveLength(3)
  expect(links[1]).toHaveAttribute('href', '/report/1/documents/d%2F1?page=2&q=ISO+9001')
  expect(links[0]!.querySelector('mark')).toHaveTextContent('ISO 9001')
  expect(links[0]).toHaveTextContent('TOR.pdf หน้า 1')
  expect(links.map((link) => link.textContent.includes('อ่านจากภาพ'))).toEqual([false, false, true])
})

test('reports documents deleted meanwhile, and a failed request', async () => {
  queryClient.setQueryData(documentSearchQuery('1', 'ISO 9001').queryKey, { total: 0, results: [] })
  const { unmount } = show()
  expect(screen.getByText('เอกสารที่เคยพบถูกนำออกแล้ว')).toBeInTheDocument()
  unmount()
  queryClient.clear()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('away')))
  show()
  expect(await screen.findByText('เปิดข้อความในเอกสารไม่สำเร็จ', undefined, { timeout: 5_000 })).toBeInTheDocument()
  vi.unstubAllGlobals()
})
