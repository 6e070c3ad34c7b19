/** Runs what has been fetched with this module. */
export const runViewer = () => import(/* webpackMode: "eager" */ './viewer.ts')
