import web from './jest.config.mjs'
import node from './jest.node.config.mjs'

/** `npm test -- --watch`: both kinds of tests in one process, which runs those that depend on what was saved. */
export default { ...node, projects: [...web.projects, ...node.projects] }
