import { expect, test } from 'vitest'
import { withinPackage } from './package-provinces.ts'

const AREAS = { central: ['กรุงเทพมหานคร', 'นนทบุรี'], north: [] }

test('provinces of the package pass untouched', () => {
  const search = { project_province__in: { values: ['นนทบุรี'], negated: false } }
  expect(withinPackage(search, AREAS)).toEqual({ search, outside: [] })
})

test('provinces outside the package are left out and named', () => {
  const search = {
    check_sme: true,
    project_province__in: { values: ['นนทบุรี', 'ตาก'], negated: true },
    project_province_dept_sub__in: { values: ['ตาก', 'น่าน'], negated: false },
  } as const
  expect(withinPackage(search, AREAS)).toEqual({
    search: { check_sme: true, project_province__in: { values: ['นนทบุรี'], negated: true } },
    outside: ['ตาก', 'น่าน'],
  })
})
