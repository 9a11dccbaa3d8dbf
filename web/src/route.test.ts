import { describe, expect, it } from 'vitest';
import { link, nodeLink, parseRoute } from './route';

describe('routes', () => {
  it('begins at the cluster', () => {
    expect(parseRoute('').page).toBe('cluster');
    expect(parseRoute('#/').page).toBe('cluster');
  });

  it('reads what stands after the page and the query', () => {
    const route = parseRoute('#/jobs/7?tab=logs&task=1');
    expect([route.page, route.rest, route.query.get('tab')]).toEqual(['jobs', ['7'], 'logs']);
  });

  it('gives names with odd characters back as they were', () => {
    const route = parseRoute(nodeLink('rack/7 a'));
    expect(route.rest).toEqual(['rack/7 a']);
    expect(parseRoute('#/nodes/%zz').rest).toEqual(['%zz']);
  });

  it('leaves out what is empty', () => {
    expect(link('jobs', { state: '', user: undefined })).toBe('#/jobs');
    expect(link('jobs', { state: 'queued' })).toBe('#/jobs?state=queued');
  });
});
