import { expect, test } from 'vitest'
import { limitProvincesToSubscription } from './limit-provinces-to-subscription.ts'

const AREAS = { central: ['กรุงเทพมหานคร', 'นนทบุรี'], north: [] }

test('keeps provinces of the package unchanged', () => {
  const search = { project_province__in: { values: ['นนทบุรี'], negated: false } }
  expect(limitProvincesToSubscription(search, AREAS)).toEqual({ search, outsideProvinces: [] })
})

test('removes provinces outside the package and names them', () => {
  const search = {
    check_sme: true,
    project_province__in: { values: ['นนทบุรี', 'ตาก'], negated: true },
    project_province_dept_sub__in: { values: ['ตาก', 'น่าน'], negated: false },
  } as const
  expect(limitProvincesToSubscription(search, AREAS)).toEqual({
    search: { check_sme: true, project_province__in: { values: ['นนทบุรี'], negated: true } },
    outsideProvinces: ['ตาก', 'น่าน'],
  })
})
