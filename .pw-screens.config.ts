import base from "./playwright.config.ts"
const { webServer: _, ...rest } = base
export default { ...rest, outputDir: "/tmp/screens/test-results", timeout: 180_000, expect: { timeout: 40_000 } }
