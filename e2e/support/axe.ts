import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'

/** What axe finds on the page as it is (WCAG 2.2 A and AA), one line each. */
export async function violations(page: Page, ...moreTags: string[]): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', ...moreTags]
  const report = await new AxeBuilder({ page }).withTags(tags).analyze()
  return report.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
}
