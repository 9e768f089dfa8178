import { describe, expect, test } from 'vitest'
import { getProjectLinkKind } from './find-linked-projects.ts'
import type { ComparedProject } from './similar-project-queries.ts'

const NAME = 'ประกวดราคาซื้อเครื่องวัดคุณภาพน้ำอัตโนมัติ พร้อมติดตั้ง จำนวน ๓ ชุด ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)'

const project = (change: Partial<ComparedProject>) =>
  ({
    name: NAME,
    status: 'in_progress',
    fiscal_year: 2570,
    budget_satang: 100_000_000,
    announced_on: '2026-11-20',
    movement_on: '2026-11-20',
    ...change,
  }) as ComparedProject
const CANCELLED = project({ status: 'project_cancelled', announced_on: '2026-10-05', movement_on: '2026-11-21' })

describe('N8: a cancelled tender is announced again', () => {
  test.each([
    ['a round', { name: `${NAME} ครั้งที่ 2` }],
    ['a round in Thai digits', { name: `${NAME} (ครั้งที่ ๒)` }],
    ['a remark before it', { name: `(ประกาศใหม่) ${NAME}` }],
    ['a remark behind it', { name: `${NAME} (ยกเลิกและประกาศใหม่ ครั้งที่ 3)` }],
    ['a remark at its start', { name: `ยกเลิกและดำเนินการใหม่ ${NAME}` }],
    ['another method in its title', { name: NAME.replace('ประกวดราคาซื้อ', 'ซื้อ').replace(/ ด้วยวิธี.*/, ' โดยวิธีคัดเลือก') }],
    ['four percent less money', { budget_satang: 96_000_000 }],
    ['no money', { budget_satang: null }],
  ])('under a title with %s', (_what, change) => {
    expect(getProjectLinkKind(CANCELLED, project(change))).toBe('retendered_as')
    expect(getProjectLinkKind(project(change), CANCELLED)).toBe('retender_of')
  })

  test.each([
    ['another number of pieces', { name: NAME.replace('จำนวน ๓ ชุด', 'จำนวน ๗ ชุด') }],
    ['another place', { name: NAME.replace('พร้อมติดตั้ง', 'พร้อมติดตั้ง อำเภอแม่ริม') }],
    ['ten times the money', { budget_satang: 1_000_000_000 }],
    ['an earlier date', { announced_on: '2026-10-04' }],
  ])('but not with %s', (_what, change) => {
    expect(getProjectLinkKind(CANCELLED, project(change))).toBe('similar')
  })
})
