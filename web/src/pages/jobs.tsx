/** The jobs: the list of them, or one of them. */
import { route } from '../route';
import { JobPage } from './job/page';
import { JobList } from './jobs/list';

export function JobsPage() {
  const [id] = route.value.rest;
  return id ? <JobPage key={id} id={Number(id)} /> : <JobList />;
}
