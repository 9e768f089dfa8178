import { expect, test } from 'vitest'
import { listFilesWithViewer, listFirstLoadFiles } from './bundle-size.ts'

const manifest = {
  'index.html': { file: 'assets/index.js', isEntry: true, imports: ['_react.js'] },
  '_react.js': { file: 'assets/react.js' },
  'src/account/pages/login/login-page.tsx': { file: 'assets/login.js', imports: ['_react.js', '_field.js'] },
  '_field.js': { file: 'assets/field.js', imports: ['_react.js'] },
  'src/ui/overlay/modal-panel.tsx': { file: 'assets/modal.js', imports: ['_react.js'] },
}

test('the first load contains the entry, the screen and their imports, each file once', () => {
  expect(listFirstLoadFiles(manifest, ['src/account/pages/login/login-page.tsx'])).toEqual([
    'assets/index.js',
    'assets/react.js',
    'assets/login.js',
    'assets/field.js',
  ])
})

test('throws for a screen missing from the build instead of reporting a small size', () => {
  expect(() => listFirstLoadFiles(manifest, ['src/pages/gone.tsx'])).toThrow('src/pages/gone.tsx')
})

test('the document viewer is only loaded on demand, never in a first load', () => {
  const viewer = 'node_modules/unpdf/dist/pdfjs.mjs'
  const reader = { file: 'assets/reader.js', dynamicImports: [viewer] }
  const built = {
    ...manifest,
    [viewer]: { file: 'assets/pdfjs.js' },
    'src/documents/pages/document/document-reader-page.tsx': reader,
  }
  expect(listFilesWithViewer(built)).toEqual([])
  expect(listFilesWithViewer({ ...built, '_card.js': { file: 'assets/card.js', imports: [viewer] } })).toEqual([
    'assets/card.js',
  ])
  expect(() => listFilesWithViewer(manifest)).toThrow(viewer)
})
