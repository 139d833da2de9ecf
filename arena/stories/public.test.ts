import { publicStories } from "./public.ts";
import { storiesAreTold } from "./suite.ts";

storiesAreTold("stories-public", publicStories, []);
