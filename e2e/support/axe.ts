import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'

/** What axe finds on the page as it is once nothing moves (WCAG 2.2 A and AA), one line each. */
export async function violations(page: Page, ...moreTags: string[]): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', ...moreTags]
  await page.evaluate(untilStill)
  const report = await new AxeBuilder({ page })
    // By itself it opens a page more to put together what frames say, which takes as long as looking.
    .setLegacyMode(page.frames().length === 1)
    .options({ resultTypes: ['violations'] })
    .withTags(tags)
    .analyze()
  return report.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
}

/** Runs in the page. While something fades in, its colours are those of nothing that stays. */
async function untilStill(): Promise<void> {
  const listPassing = () =>
    document
      .getAnimations()
      .filter((one) => one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime ?? 0))
  // What a key or a click has changed is drawn with the next frame, and begins to fade with it.
  const draw = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  const still = async () => {
    await draw()
    for (let passing = listPassing(); passing.length > 0; passing = listPassing()) {
      await Promise.allSettled(passing.map(({ finished }) => finished))
      await draw()
    }
  }
  // What takes the place of an animation that is waited for may leave its end unsaid.
  await Promise.race([still(), new Promise((late) => setTimeout(late, 5000))])
}
