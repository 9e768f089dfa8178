import react from '@vitejs/plugin-react'

/**
 * Parts of the paths of files that React Compiler compiles: pages and hooks. Compiled components are a third larger.
 * With all of them compiled, the first load of the report was 435 kB instead of 396, and the shared ones that are left
 * out render cheaply.
 */
const COMPILED_SOURCES = [
  '/src/account/pages/settings/',
  '/src/documents/',
  '/src/market/',
  '/src/matching/keywords/',
  '/src/matching/pages/',
  '/src/operation/',
  '/src/report/columns/',
  '/src/report/pages/project/',
  '/src/report/pages/report/filter/',
  '/src/report/pages/report/queue/',
  '/src/report/pages/report/table/',
  '/src/team/pages/',
  '/label-panels.tsx',
  '/report-page.tsx',
  '/report-results',
  '/saved-filter-tabs.tsx',
  '/use-',
]

/** The React plugin of the build and of the component tests. */
export const reactPlugin = react({ compiler: { sources: COMPILED_SOURCES } })
