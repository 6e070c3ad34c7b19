import { chromium } from 'playwright'
import { globSync } from 'node:fs'
const url = 'http://127.0.0.1:4791'
const found = globSync('/usr/lib/chromium/chromium-headless-shell')[0] ?? globSync('/root/.cache/ms-playwright/*/*/headless_shell')[0]
const browser = await chromium.launch(found ? { executablePath: found, args: ['--no-sandbox'] } : {})
for (const [who, scheme, width] of [['super@dmp.example', 'light', 1280], ['admin@north.example', 'dark', 360]] as const) {
  const context = await browser.newContext({ baseURL: url, viewport: { width, height: 800 }, colorScheme: scheme })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel(/email/i).first().fill(who)
  await page.getByLabel(/password/i).first().fill('DemoPassw0rd!')
  await page.keyboard.press('Enter')
  await page.waitForURL(/dashboard/)
  await page.goto('/audit')
  await page.getByRole('button', { name: 'Check now' }).waitFor()
  await page.screenshot({ path: `/tmp/pace/before-${width}.png` })
  await page.getByRole('button', { name: 'Check now' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Intact').waitFor()
  await page.screenshot({ path: `/tmp/pace/after-${width}.png` })
  for (const w of [360, 1920]) {
    await page.setViewportSize({ width: w, height: 800 })
    console.log(who, w, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  }
  await context.close()
}
await browser.close()
