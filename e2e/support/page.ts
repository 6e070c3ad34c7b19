import type { Page } from 'playwright/test'
import { expect } from 'playwright/test'

/** Everything that the page waits for is there: no skeleton, no table at work. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

/** Searches the list of the page for the words and opens the one row that has them. */
export async function openRow(page: Page, words: string): Promise<void> {
  const rows = page.getByRole('table').first().getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(rows.first()).toBeVisible()
  await page.getByRole('searchbox').first().fill(words)
  await expect(rows).toHaveCount(1)
  const row = rows.filter({ hasText: words })
  await expect(row).toBeVisible()
  await row.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/detail\//)
}
