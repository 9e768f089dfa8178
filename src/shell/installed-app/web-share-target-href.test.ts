import { expect, test } from 'vitest'
import { getWebShareTargetHref } from './web-share-target-href.ts'

const ID = '69119284417'

test.each([
  // Android browsers share a page's link as `url` or within the text.
  [{ url: `https://process3.gprocurement.go.th/egp?projectId=${ID}` }, `/report/${ID}`],
  [
    {
      title: 'e-GP',
      text: `https://process5.gprocurement.go.th/x?methodId=16&templateType=W2&projectId=${ID}&mode=LINK`,
    },
    `/report/${ID}`,
  ],
  [{ text: `ดูงานนี้หน่อย ${ID} ปิดพรุ่งนี้` }, `/report/${ID}`],
  [{ text: ID }, `/report/${ID}`],
  // A phone number, a longer number, or two numbers do not identify a project.
  [{ text: '0812345678' }, '/report?project_search__in=0812345678'],
  [{ text: `${ID} และ 69119284418` }, `/report?project_search__in=${ID}+%E0%B9%81%E0%B8%A5%E0%B8%B0+69119284418`],
  // Other text becomes search words; links and search operators are dropped.
  [
    { title: 'ข่าว', text: 'กล้องวงจรปิด (CCTV) https://example.go.th/a' },
    `/report?${new URLSearchParams({ project_search__in: 'กล้องวงจรปิด CCTV' })}`,
  ],
  [{ title: 'กล้อง', url: 'https://example.go.th/a' }, `/report?${new URLSearchParams({ project_search__in: 'กล้อง' })}`],
  [{ url: 'https://example.go.th/a' }, '/report'],
  [{ title: ' ', text: '' }, '/report'],
  [{}, '/report'],
])('%o leads to %s', (shared, href) => {
  expect(getWebShareTargetHref(shared)).toBe(href)
})

test('shortens a long text to a search that fits an address', () => {
  expect(getWebShareTargetHref({ text: 'กล้อง '.repeat(500) }).length).toBeLessThan(2000)
})
