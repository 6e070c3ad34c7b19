/**
 * The federation's own entry imports its runtime by a path between apostrophes, whatever is in the path; the checkout
 * may lie in a folder like `/home/o'neill`.
 */
export default function federationEntryLoader(source: string): string {
  return source.replaceAll(/^(import \w+ from) '(.*)';$/gm, (_, start: string, file: string) => {
    return `${start} ${JSON.stringify(file)};`
  })
}
